# Sinatra on WEBrick, with the method override that its classic style turns on.
require 'erb'
require 'json'
require 'sinatra/base'
require 'webrick'

class App < Sinatra::Base
  set :environment, :production
  set :strict_paths, false
  enable :method_override
  disable :logging, :show_exceptions, :dump_errors

  def json
    data = JSON.parse(request.body.read)
    data.is_a?(Hash) ? data['email'] : nil
  rescue JSON::ParserError
    halt 400, 'no'
  end

  def welcome(email)
    email = email.to_json unless email.nil? || email.is_a?(String)
    told = { email: email, assertion: request.env['HTTP_X_GATEKEEPER_ASSERTION'], judged: request.env['HTTP_X_JUDGED_EMAIL'] }
    headers 'X-App' => ERB::Util.url_encode(JSON.generate(told))
    [201, 'welcome']
  rescue JSON::GeneratorError
    halt 400, 'no'
  end

  post('/signup') { welcome(request.media_type.to_s.end_with?('json') ? json : params['email']) }
  post('/join') { welcome(json) }
  put('/account') { welcome(request.media_type.to_s.end_with?('json') ? json : params['email']) }
end

quiet = WEBrick::Log.new(File::NULL)
Rack::Handler::WEBrick.run(App, Host: '127.0.0.1', Port: 0, Logger: quiet, AccessLog: []) do |server|
  puts "port #{server.listeners.first.addr[1]}"
  $stdout.flush
end
