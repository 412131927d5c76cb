<?php
// The client of the examples inside a web server, as an app has it.
$argv = ['score-signup.php', $_GET['email'], '198.51.100.7'];
require __DIR__ . '/../../../examples/clients/score-signup.php';
