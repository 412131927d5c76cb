<?php
// A script as tutorials have it: whatever runs it signs up, and PHP fills $_POST for POST alone.
require_once __DIR__ . '/../../php/welcome.php';
parse_str(is_json() ? '' : file_get_contents('php://input'), $form);
$data = json_body() ?? ($_POST ?: $form);
if (isset($data['email'])) {
    welcome($data['email']);
} else {
    echo '<form method="post">';
}
