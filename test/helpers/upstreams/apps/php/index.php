<?php
// A front controller: PHP's server runs it for every path that is no file.
$path = rtrim(rawurldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '/'), '/');
$path = preg_replace('#^/index\.php(?=/)#', '', $path);
if (in_array($path, ['/signup', '/join', '/account'], true)) {
    require __DIR__ . $path . '.php';
} else {
    http_response_code(404);
    echo 'nothing here';
}
