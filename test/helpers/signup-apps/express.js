// A shop as the guides of Express have it: a form with a picture, a session cookie and a CSRF field.
import { createHash, randomUUID } from 'node:crypto';
import express from 'express';
import multer from 'multer';

const app = express();
const accounts = [];
const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');
const cookieOf = (request) => /(?:^|;\s*)shop=([^;]*)/.exec(request.headers.cookie ?? '')?.[1];

app.get('/signup', (_request, response) => {
  const session = randomUUID();
  response.cookie('shop', session, { httpOnly: true }).send(`<!doctype html><title>Shop</title>
<form method="post" enctype="multipart/form-data">
<input type="hidden" name="csrf" value="${sha256(session)}">
<input name="email"> <input type="file" name="photo"> <button>Sign up</button>
</form>`);
});
app.post('/signup', multer().single('photo'), (request, response) => {
  if (request.body.csrf !== sha256(cookieOf(request) ?? '')) return response.status(403).send('forged');
  accounts.push(request.body.email);
  response.cookie('user', randomUUID(), { httpOnly: true });
  response.redirect(`/welcome?photo=${sha256(request.file.buffer)}`);
});
app.get('/join', (_request, response) => {
  const session = randomUUID();
  response
    .cookie('shop', session, { httpOnly: true })
    .send(`<!doctype html><title>Shop</title><form method="post">
<input type="hidden" name="csrf" value="${sha256(session)}">
<input name="email"> <textarea name="note"></textarea> <button>Sign up</button>
</form>`);
});
app.post('/join', express.urlencoded({ extended: true }), (request, response) => {
  if (request.body.csrf !== sha256(cookieOf(request) ?? '')) return response.status(403).send('forged');
  accounts.push(request.body.email);
  response.cookie('user', randomUUID(), { httpOnly: true });
  response.redirect(`/welcome?photo=${sha256(request.body.note)}`);
});
app.post('/api/signup', express.json(), (request, response) => {
  accounts.push(request.body.user.email);
  response.status(201).json({ id: accounts.length });
});
app.get('/welcome', (request, response) => {
  const known = /user=/.test(request.headers.cookie ?? '');
  response
    .type('text')
    .send(`welcome known=${known} accounts=${accounts.length} photo=${request.query.photo}`);
});
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
