/**
 * The name of a header field for servers that turn names into variables: in lower case, with a hyphen for each character
 * that is neither a letter nor a digit. CGI, WSGI and Rack read an underscore like a hyphen, PHP reads a dot like it too.
 */
export function plainFieldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9-]/g, '-');
}
