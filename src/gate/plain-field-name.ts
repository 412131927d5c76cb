/**
 * The name of a header field as servers read it that turn names into variables: any case, and every other character as
 * one. CGI, WSGI and Rack write a hyphen as an underscore, PHP also a dot.
 */
export function plainFieldName(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9-]/g, '-');
}
