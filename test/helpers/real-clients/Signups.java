import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;

/** Signups as people write them with Java: one line of output for each, its name and the status of the answer. */
class Signups {
  private static String url;

  public static void main(String[] arguments) throws Exception {
    url = arguments[0];
    String email = arguments[1];
    String encoded = URLEncoder.encode(email, StandardCharsets.UTF_8);
    String form = "email=" + encoded + "&name=" + URLEncoder.encode("Jane Döe", StandardCharsets.UTF_8) + "&password=p%26q";
    String json = "{\"email\": \"" + email + "\", \"name\": \"Jane Döe\"}";
    connect("HttpURLConnection without a type", null, form);
    connect("HttpURLConnection form", "application/x-www-form-urlencoded", form);
    connect("HttpURLConnection form in Latin-1", "application/x-www-form-urlencoded; charset=ISO-8859-1",
        "email=" + encoded + "&name=" + URLEncoder.encode("Jérôme", StandardCharsets.ISO_8859_1));
    connect("HttpURLConnection JSON", "application/json; utf-8".replace("; utf-8", "; charset=utf-8"), json);
    connect("HttpURLConnection multipart", "multipart/form-data;boundary=*****",
        "--*****\r\nContent-Disposition: form-data; name=\"email\"\r\n\r\n" + email
            + "\r\n--*****\r\nContent-Disposition: form-data; name=\"avatar\";filename=\"a.jpg\"\r\n\r\nxyz\r\n--*****--\r\n");
    for (HttpClient.Version version : HttpClient.Version.values()) {
      HttpClient client = HttpClient.newBuilder().version(version).build();
      HttpRequest request = HttpRequest.newBuilder(URI.create(url)).header("Content-Type", "application/json")
          .POST(HttpRequest.BodyPublishers.ofString(json)).build();
      show("HttpClient " + version, client.send(request, HttpResponse.BodyHandlers.discarding()).statusCode());
    }
  }

  private static void connect(String name, String type, String body) throws Exception {
    HttpURLConnection connection = (HttpURLConnection) URI.create(url).toURL().openConnection();
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    if (type != null) connection.setRequestProperty("Content-Type", type);
    try (OutputStream out = connection.getOutputStream()) {
      out.write(body.getBytes(StandardCharsets.UTF_8));
    }
    show(name, connection.getResponseCode());
  }

  private static void show(String name, int status) {
    System.out.println(name + "\t" + status);
  }
}
