# class SignupsController < ApplicationController
#   before_action { head :forbidden unless Gatekeeper.claims(request.env, Rails.configuration.x.gatekeeper_keys) }
#
# Keys: { 'generated' => ENV.fetch('GATEKEEPER_ASSERTION_SECRET') }. Needs nothing of Rails but the Rack environment.
require 'digest'
require 'json'
require 'openssl'

module Gatekeeper
  def self.claims(env, keys)
    head, claims, signature = env['HTTP_X_GATEKEEPER_ASSERTION'].split('.', 3)
    header, said = [head, claims].map { |part| JSON.parse(part.tr('-_', '+/').unpack1('m')) }
    secret = keys.fetch(header['kid'])
    mac = [OpenSSL::HMAC.digest('SHA256', secret, "#{head}.#{claims}")].pack('m0').tr('+/', '-_').delete('=')
    env['rack.input'].rewind
    body = env['RAW_POST_DATA'] || env['rack.input'].read.tap { env['rack.input'].rewind }
    method = env['rack.methodoverride.original_method'] || env['REQUEST_METHOD']
    path = env['ORIGINAL_FULLPATH'] || env['REQUEST_URI'].sub(%r{\Ahttps?://[^/]*}, '')
    arrived = [method, path, Digest::SHA256.hexdigest(body)]
    sound = header['alg'] == 'HS256' && !secret.empty? && OpenSSL.secure_compare(mac, signature)
    sound &&= said['iss'] == 'gatekeeper' && said['exp'] > Time.now.to_i && said['action'] != 'block'
    said if sound && said.values_at('method', 'path', 'body_sha256') == arrived
  rescue StandardError # whatever cannot be read was not signed
    nil
  end
end
