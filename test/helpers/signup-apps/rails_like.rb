# A signup as Rails has it: nested field names, an authenticity token in the form and in the session, the form's own path.
require 'securerandom'
require 'sinatra/base'
require 'webrick'

class Shop < Sinatra::Base
  set :environment, :production
  enable :sessions
  set :session_secret, SecureRandom.hex(64)

  get '/users/sign_up' do
    session[:token] = SecureRandom.hex(16)
    <<~HTML
      <!doctype html><title>Shop</title><form class="new_user" action="/users" accept-charset="UTF-8" method="post">
      <input type="hidden" name="authenticity_token" value="#{session[:token]}">
      <input type="email" name="user[email]" id="user_email"> <input type="password" name="user[password]">
      <input type="submit" name="commit" value="Sign up"></form>
    HTML
  end

  post '/users' do
    halt 422, 'forged' unless params['authenticity_token'] == session[:token]
    redirect "/welcome?email=#{params['user']['email']}", 303
  end
end

quiet = WEBrick::Log.new(File::NULL)
Rack::Handler::WEBrick.run(Shop, Host: '127.0.0.1', Port: 0, Logger: quiet, AccessLog: []) do |server|
  puts "port #{server.listeners.first.addr[1]}"
  $stdout.flush
end
