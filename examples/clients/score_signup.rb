# GATEKEEPER_URL=http://127.0.0.1:8080 GATEKEEPER_KEY=gk_… ruby score_signup.rb <email> <ip> [user agent]
require 'json'
require 'net/http'
require 'timeout'

# `low`, `medium` or `high`. Without a decision it is `low`: the signup is accepted.
def risk_of(email, ip_address, user_agent)
  return 'high' unless email.is_a?(String) && email.length <= 254 # missing, or longer than any mailbox

  signup = JSON.generate(email: email, ip_address: ip_address, user_agent: user_agent)
  headers = { 'Content-Type' => 'application/json', 'X-API-Key' => ENV.fetch('GATEKEEPER_KEY') }
  answer = Timeout.timeout(3) do
    Net::HTTP.post(URI("#{ENV.fetch('GATEKEEPER_URL')}/score-signup"), signup, headers)
  end
  # The fields are invalid. A sender can cause this, so it must not be a way around the check.
  return 'high' if %w[400 413].include?(answer.code)
  return JSON.parse(answer.body).fetch('risk_level') if answer.code == '200'

  raise "status #{answer.code}"
rescue JSON::GeneratorError
  'high' # the email is not UTF-8
rescue StandardError => e
  warn "no decision: #{e.message}"
  'low'
end

case risk_of(ARGV[0], ARGV[1], ARGV[2])
when 'low' then puts 'accept'
when 'medium' then puts 'verify'
else puts 'refuse'
end
