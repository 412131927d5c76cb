import type { AlertConfig, AlertMessage } from './alert-message.ts';

/** The JSON body for a receiver over HTTP. */
export function renderAlert(to: AlertConfig['to'], message: AlertMessage): string {
  const { text, link, subject, type, at, data } = message;
  if (to === 'slack') return JSON.stringify({ text });
  if (to === 'discord') return JSON.stringify({ content: text, allowed_mentions: { parse: [] } });
  if (to === 'teams') {
    const lines = text.split('\n').map((line) => ({ type: 'TextBlock', text: line, wrap: true }));
    const content = { type: 'AdaptiveCard', version: '1.4', body: lines };
    const contentType = 'application/vnd.microsoft.card.adaptive';
    return JSON.stringify({ type: 'message', attachments: [{ contentType, content }] });
  }
  return JSON.stringify({ type, timestamp: new Date(at).toISOString(), data: { ...data, subject, link } });
}
