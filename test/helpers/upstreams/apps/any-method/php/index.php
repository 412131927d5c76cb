<?php
// A front controller that takes its path from wherever one stands: OpenCart, Drupal, CodeIgniter, WordPress.
$query = $_SERVER['QUERY_STRING'] ?? '';
$path = str_starts_with($query, '/')
    ? urldecode(explode('&', $query)[0])
    : ($_GET['route'] ?? $_GET['q'] ?? $_GET['s'] ?? $_GET['r'] ?? $_GET['_url'] ?? $_GET['url'] ?? $_GET['rest_route'] ?? $_GET['pagename'] ?? $_SERVER['PATH_INFO'] ?? '');
if (is_string($path) && strtok(trim($path, '/ '), '.') === 'signup') {
    require __DIR__ . '/signup.php';
} else {
    http_response_code(404);
    echo 'nothing here';
}
