<?php
require_once __DIR__ . '/welcome.php';
allow('POST', $_SERVER['REQUEST_METHOD']);
welcome(is_json() ? (json_body()['email'] ?? null) : ($_POST['email'] ?? null));
