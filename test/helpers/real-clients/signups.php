<?php
// Signups as people write them with PHP: one line of output for each, its name and the status of the answer.
[, $url, $email] = $argv;
$fields = ['email' => $email, 'name' => 'Jane Döe', 'password' => 'p&q=1;2+', 'topics' => ['a', 'b']];

function show(string $name, int $status): void
{
    echo "$name\t$status\n";
}

function send(string $name, string $type, string $body): void
{
    global $url;
    $options = ['method' => 'POST', 'header' => "Content-Type: $type", 'content' => $body, 'ignore_errors' => true];
    file_get_contents($url, false, stream_context_create(['http' => $options]));
    show($name, (int) explode(' ', $http_response_header[0])[1]);
}

send('stream with a form', 'application/x-www-form-urlencoded', http_build_query($fields));
send('stream with a form of RFC 3986', 'application/x-www-form-urlencoded', http_build_query($fields, '', '&', PHP_QUERY_RFC3986));
send('stream with JSON', 'application/json', json_encode($fields));
send('stream with readable JSON', 'application/json;charset=UTF-8', json_encode($fields, JSON_PRETTY_PRINT | JSON_UNESCAPED_UNICODE));

if (function_exists('curl_init')) {
    $flat = array_diff_key($fields, ['topics' => 0]);
    $file = tempnam(sys_get_temp_dir(), 'sig');
    file_put_contents($file, random_bytes(5000));
    foreach (['curl form' => http_build_query($fields), 'curl multipart' => $flat, 'curl with a file' => $flat + ['avatar' => new CURLFile($file, 'image/png', 'name=ann.png')]] as $name => $body) {
        $curl = curl_init($url);
        curl_setopt_array($curl, [CURLOPT_POSTFIELDS => $body, CURLOPT_RETURNTRANSFER => true]);
        curl_exec($curl);
        show($name, curl_getinfo($curl, CURLINFO_RESPONSE_CODE));
    }
    unlink($file);
}
