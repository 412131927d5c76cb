<?php
// Reads JSON whatever the type says, as most tutorials do.
require_once __DIR__ . '/welcome.php';
allow('POST', $_SERVER['REQUEST_METHOD']);
$data = json_body();
if ($data === null) {
    http_response_code(400);
    exit('no');
}
welcome($data['email'] ?? null);
