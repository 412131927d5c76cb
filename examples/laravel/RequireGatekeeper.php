<?php
// Route::post('/signup', …)->middleware(RequireGatekeeper::class);
// config/services.php: 'gatekeeper' => ['generated' => env('GATEKEEPER_ASSERTION_SECRET')],
// AppServiceProvider: $this->app->when(RequireGatekeeper::class)->needs('$keys')->giveConfig('services.gatekeeper');
namespace App\Http\Middleware;

use Symfony\Component\HttpFoundation\Response;

class RequireGatekeeper
{
    public function __construct(private array $keys) {}

    public function handle($request, \Closure $next)
    {
        [$head, $claims, $signature] = explode('.', $request->headers->get('X-Gatekeeper-Assertion', '') . '..');
        $read = fn ($part) => json_decode(base64_decode(strtr($part, '-_', '+/')), true);
        [$header, $said] = [$read($head), $read($claims)];
        $secret = $this->keys[$header['kid'] ?? ''] ?? '';
        $mac = rtrim(strtr(base64_encode(hash_hmac('sha256', "$head.$claims", $secret, true)), '+/', '-_'), '=');
        $sound = ($header['alg'] ?? '') === 'HS256' && $secret !== '' && hash_equals($mac, $signature);
        $arrived = [$request->getRealMethod(), $request->server->get('REQUEST_URI'), hash('sha256', $request->getContent())];
        $sound = $sound && $said['iss'] === 'gatekeeper' && $said['exp'] > time() && $said['action'] !== 'block';
        if (!$sound || [$said['method'], $said['path'], $said['body_sha256']] !== $arrived) return new Response('', 403);
        $request->attributes->set('gatekeeper', $said);
        return $next($request);
    }
}
