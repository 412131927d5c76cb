import express from 'express';
import { keepRawBody, requireGatekeeper } from '../../../examples/express/gatekeeper.js';

const app = express();
app.use(express.urlencoded({ extended: false, verify: keepRawBody }));
app.all('/signup', requireGatekeeper(JSON.parse(process.argv[2])), (request, response) => {
  response.send(`welcome ${request.body?.email} ${request.gatekeeper.jti}`);
});
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
