require 'json'
require 'sinatra/base'
require 'webrick'
require_relative '../../../examples/rails/gatekeeper'

KEYS = JSON.parse(ARGV.fetch(0))

class Signups < Sinatra::Base
  set :environment, :production
  %i[post put].each do |verb|
    send(verb, '/signup') do
      claims = Gatekeeper.claims(request.env, KEYS)
      halt 403 unless claims
      "welcome #{params['email']} #{claims['jti']}"
    end
  end
end

server = WEBrick::HTTPServer.new(
  BindAddress: '127.0.0.1', Port: 0, AccessLog: [], Logger: WEBrick::Log.new(File::NULL)
)
server.mount '/', Rack::Handler::WEBrick, Signups
$stdout.puts "port #{server.config[:Port]}"
$stdout.flush
server.start
