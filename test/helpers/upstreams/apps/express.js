// Express as its guide sets it up, with the body parsers of its own and multer. Which Express: the first argument.
import multer from 'multer';
import { report } from './report.js';

const [name, extended] = process.argv.slice(2);
const { default: express } = await import(name);
const app = express();

function signUp(request, response) {
  response.set('X-App', report(request.headers, request.body?.email)).status(201).send('welcome');
}

/** As the package method-override does. */
function overrideMethod(request, _response, next) {
  const wanted = request.headers['x-http-method-override'] ?? request.body?._method ?? request.query._method;
  if (request.method === 'POST' && typeof wanted === 'string') request.method = wanted.toUpperCase();
  next();
}

app.post('/join', express.json({ type: () => true }), signUp);
app.use(express.json(), express.urlencoded({ extended: extended === 'extended' }), multer().any());
app.use(overrideMethod);
app.post('/signup', signUp);
app.put('/account', signUp);
app.use((_request, response) => response.status(404).send('nothing here'));
app.use((error, _request, response, _next) => response.status(error.status ?? 500).send('no'));
const server = app.listen(0, '127.0.0.1', () => process.stdout.write(`port ${server.address().port}\n`));
