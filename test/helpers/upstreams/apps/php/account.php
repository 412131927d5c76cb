<?php
// The method as Laravel and Symfony find it.
require_once __DIR__ . '/welcome.php';
$method = $_SERVER['REQUEST_METHOD'];
$data = is_json() ? json_body() : $_REQUEST;
if ($method === 'POST') {
    $method = strtoupper((string) ($_SERVER['HTTP_X_HTTP_METHOD_OVERRIDE'] ?? $data['_method'] ?? $_GET['_method'] ?? $method));
    allow('PUT', $method);
    welcome($data['email'] ?? null);
} else {
    allow('PUT', $method);
    welcome(json_body()['email'] ?? null);
}
