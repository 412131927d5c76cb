<?php
// What the signup scripts share.
function json_body(): ?array
{
    $data = json_decode(file_get_contents('php://input'), true);
    return is_array($data) ? $data : null;
}

function is_json(): bool
{
    return stripos($_SERVER['CONTENT_TYPE'] ?? '', 'json') !== false;
}

function allow(string $wanted, string $method): void
{
    if ($method !== $wanted) {
        http_response_code(405);
        exit('no');
    }
}

function welcome(mixed $email): void
{
    $told = [
        'email' => $email === null || is_string($email) ? $email : json_encode($email),
        'assertion' => $_SERVER['HTTP_X_GATEKEEPER_ASSERTION'] ?? null,
        'judged' => $_SERVER['HTTP_X_JUDGED_EMAIL'] ?? null,
    ];
    http_response_code(201);
    header('X-App: ' . rawurlencode(json_encode($told, JSON_INVALID_UTF8_SUBSTITUTE)));
    echo 'welcome';
}
