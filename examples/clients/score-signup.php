<?php
// GATEKEEPER_URL=http://127.0.0.1:8080 GATEKEEPER_KEY=gk_… php score-signup.php <email> <ip> [user agent]

/** `low`, `medium` or `high`. Without a decision it is `low`: the signup is accepted. */
function risk_of(string $email, string $ip, ?string $userAgent): string
{
    $signup = json_encode(['email' => $email, 'ip_address' => $ip, 'user_agent' => $userAgent]);
    if ($signup === false || strlen($email) > 254) {
        return 'high'; // not UTF-8, or longer than any mailbox
    }
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['Content-Type: application/json', 'X-API-Key: ' . getenv('GATEKEEPER_KEY')],
        'content' => $signup,
        'timeout' => 3, // seconds without a byte
        'follow_location' => 0, // another address must not get the key
        'ignore_errors' => true, // read the answer of a refusal too
    ]]);
    $answer = @file_get_contents(getenv('GATEKEEPER_URL') . '/score-signup', false, $context, 0, 65536);
    $status = (int) (explode(' ', $http_response_header[0] ?? '')[1] ?? 0);
    $document = json_decode($answer ?: '', true);
    if ($status === 200 && isset($document['risk_level'])) {
        return $document['risk_level'];
    }
    if ($status === 400 || $status === 413) {
        return 'high'; // The fields are invalid. A sender can cause this, so it must not be a way around the check.
    }
    error_log('no decision: ' . ($document['detail'] ?? "status $status"));
    return 'low';
}

echo match (risk_of($argv[1], $argv[2], $argv[3] ?? null)) {
    'low' => 'accept',
    'medium' => 'verify',
    default => 'refuse',
}, "\n";
