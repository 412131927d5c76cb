<?php
// The same shop in plain PHP, with its own sessions and uploads. Accounts are lines of a file.
$accounts = sys_get_temp_dir() . '/accounts';
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
session_name('shop');
session_start();
if (in_array($path, ['/signup', '/join'], true) && $_SERVER['REQUEST_METHOD'] === 'POST') {
    if (($_POST['csrf'] ?? '') !== ($_SESSION['csrf'] ?? null)) {
        http_response_code(403);
        exit('forged');
    }
    file_put_contents($accounts, $_POST['email'] . "\n", FILE_APPEND);
    setcookie('user', bin2hex(random_bytes(8)), ['httponly' => true]);
    $sent = $path === '/join' ? $_POST['note'] : file_get_contents($_FILES['photo']['tmp_name']);
    header('Location: /welcome?photo=' . hash('sha256', $sent), true, 302);
} elseif (in_array($path, ['/signup', '/join'], true)) {
    $_SESSION['csrf'] = bin2hex(random_bytes(16));
    [$type, $field] = $path === '/join'
        ? ['', '<textarea name="note"></textarea>']
        : [' enctype="multipart/form-data"', '<input type="file" name="photo">'];
    echo '<!doctype html><title>Shop</title><form method="post"', $type, '>',
        '<input type="hidden" name="csrf" value="', $_SESSION['csrf'], '">',
        '<input name="email"> ', $field, ' <button>Sign up</button></form>';
} elseif ($path === '/api/signup') {
    $sent = json_decode(file_get_contents('php://input'), true);
    file_put_contents($accounts, $sent['user']['email'] . "\n", FILE_APPEND);
    http_response_code(201);
    header('Content-Type: application/json');
    echo json_encode(['id' => count(file($accounts))]);
} else {
    header('Content-Type: text/plain');
    echo 'welcome known=', isset($_COOKIE['user']) ? 'true' : 'false',
        ' accounts=', count(is_file($accounts) ? file($accounts) : []), ' photo=', $_GET['photo'] ?? '';
}
