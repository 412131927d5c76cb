# Signups as people write them with Perl: one line of output for each, its name and the status of the answer.
use strict;
use warnings;
use utf8;
use HTTP::Tiny;

my ($url, $email) = @ARGV;
my $http = HTTP::Tiny->new;
my $fields = { email => $email, name => 'Jane Doe', password => 'p&q=1;2+' };
printf "%s\t%s\n", 'post_form', $http->post_form($url, $fields)->{status};
my $json = sprintf '{"email":"%s","name":"Jane"}', $email;
printf "%s\t%s\n", 'JSON', $http->post($url, { headers => { 'Content-Type' => 'application/json' }, content => $json })->{status};
my @pieces = ('email=', join('', map { /\w/ ? $_ : sprintf '%%%02X', ord } split //, $email));
printf "%s\t%s\n", 'in chunks', $http->post($url, { headers => { 'Content-Type' => 'application/x-www-form-urlencoded' }, content => sub { shift @pieces } })->{status};
