<?php
// Laravel's request is Symfony's with more methods, and a route's middleware is a class with `handle`.
require '/usr/share/php/Symfony/Component/HttpFoundation/autoload.php';
require __DIR__ . '/../../../examples/laravel/RequireGatekeeper.php';

use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;

$middleware = new App\Http\Middleware\RequireGatekeeper(json_decode(getenv('GATEKEEPER_KEYS'), true));
$middleware->handle(
    Request::createFromGlobals(),
    fn ($request) => new Response(
        "welcome {$request->request->get('email')} {$request->attributes->get('gatekeeper')['jti']}"
    )
)->send();
