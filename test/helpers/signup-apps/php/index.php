<?php
// The same shop in plain PHP, with its own sessions and uploads. Accounts are lines of a file.
$accounts = sys_get_temp_dir() . '/accounts';
$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
session_name('shop');
session_start();
if ($path === '/signup' && $_SERVER['REQUEST_METHOD'] === 'POST') {
    if (($_POST['csrf'] ?? '') !== ($_SESSION['csrf'] ?? null)) {
        http_response_code(403);
        exit('forged');
    }
    file_put_contents($accounts, $_POST['email'] . "\n", FILE_APPEND);
    setcookie('user', bin2hex(random_bytes(8)), ['httponly' => true]);
    header('Location: /welcome?photo=' . hash_file('sha256', $_FILES['photo']['tmp_name']), true, 302);
} elseif ($path === '/signup') {
    $_SESSION['csrf'] = bin2hex(random_bytes(16));
    echo '<!doctype html><title>Shop</title><form method="post" enctype="multipart/form-data">',
        '<input type="hidden" name="csrf" value="', $_SESSION['csrf'], '">',
        '<input name="email"> <input type="file" name="photo"> <button>Sign up</button></form>';
} elseif ($path === '/api/signup') {
    $sent = json_decode(file_get_contents('php://input'), true);
    file_put_contents($accounts, $sent['user']['email'] . "\n", FILE_APPEND);
    http_response_code(201);
    header('Content-Type: application/json');
    echo json_encode(['id' => count(file($accounts))]);
} else {
    header('Content-Type: text/plain');
    echo 'welcome known=', isset($_COOKIE['user']) ? 'true' : 'false',
        ' accounts=', count(file($accounts)), ' photo=', $_GET['photo'] ?? '';
}
