# Signups as people write them with Ruby: one line of output for each, its name and the status of the answer.
require 'net/http'
require 'json'
require 'uri'
require 'stringio'

uri = URI(ARGV[0])
fields = { 'email' => ARGV[1], 'name' => 'Jane Döe', 'password' => 'p&q=1;2+' }

def show(name, answer)
  puts "#{name}\t#{answer.code}"
end

show 'Net::HTTP.post_form', Net::HTTP.post_form(uri, fields)
show 'Net::HTTP.post JSON', Net::HTTP.post(uri, fields.to_json, 'Content-Type' => 'application/json')
Net::HTTP.start(uri.host, uri.port) do |http|
  request = Net::HTTP::Post.new(uri)
  request.set_form(fields.to_a, 'multipart/form-data')
  show 'set_form multipart', http.request(request)
  request = Net::HTTP::Post.new(uri)
  file = ['avatar', StringIO.new("\x89PNG\r\n--x\r\n" * 50), { filename: 'me & you.png', content_type: 'image/png' }]
  request.set_form([*fields.to_a, file], 'multipart/form-data')
  show 'set_form with a file', http.request(request)
  request = Net::HTTP::Post.new(uri)
  request.set_form_data(fields.transform_keys { |key| key }, '&')
  show 'set_form_data', http.request(request)
  request = Net::HTTP::Post.new(uri, 'Content-Type' => 'application/x-www-form-urlencoded; charset=utf-8')
  request.body = URI.encode_www_form(fields)
  show 'encode_www_form', http.request(request)
end
