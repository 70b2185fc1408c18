// What pages of a test do, run inside the browser: each function is sent there as text and sees nothing of this file.

/** What becomes of reading each address: its status, or the name of the error. */
export const readAll = async (targets) =>
  Promise.all(
    targets.map((url) =>
      fetch(url).then(
        ({ status }) => status,
        (error) => error.name,
      ),
    ),
  );

/** Submits, cancels and deletes in every way that needs no click; what the page is told of each. */
export const tryToChange = async ({ jobs, cancel, asset, body }) => {
  const tries = [
    [jobs, { method: 'POST', mode: 'no-cors', body }],
    [jobs, { method: 'POST', mode: 'cors', body, headers: { 'content-type': 'text/plain' } }],
    [jobs, { method: 'POST', mode: 'cors', body, headers: { 'content-type': 'application/json' } }],
    [cancel, { method: 'POST', mode: 'no-cors' }],
    [asset, { method: 'DELETE' }],
  ];
  const told = [];
  for (const [url, init] of tries) {
    await fetch(url, init).then(
      (answer) => told.push(answer.type),
      (error) => told.push(error.name),
    );
  }
  navigator.sendBeacon(jobs, body);
  navigator.sendBeacon(cancel);
  return told;
};

/** Sends a form as a click would. */
export const sendForm = ({ action, enctype, fields, picture }) => {
  const form = document.createElement('form');
  Object.assign(form, { method: 'post', action, enctype });
  if (picture !== undefined) {
    const file = Object.assign(document.createElement('input'), { type: 'file', name: 'file' });
    const files = new DataTransfer();
    files.items.add(new File([new Uint8Array(picture)], 'a.png', { type: 'image/png' }));
    file.files = files.files;
    form.append(file);
  }
  for (const [name, value] of Object.entries(fields)) {
    form.append(Object.assign(document.createElement('input'), { name, value }));
  }
  document.body.append(form);
  form.submit();
};

/** What an EventSource hears until its job has succeeded, it fails, or time is up. */
export const listen = ({ url, forMs }) =>
  new Promise((done) => {
    const heard = [];
    const source = new EventSource(url);
    const stop = () => {
      source.close();
      done(heard);
    };
    setTimeout(stop, forMs);
    source.addEventListener('status', (event) => {
      const { status } = JSON.parse(event.data);
      heard.push(`status ${status}`);
      if (status === 'succeeded') stop();
    });
    source.addEventListener('error', () => {
      heard.push('error');
      stop();
    });
  });

/** What a picture, a script and a frame of these addresses show. */
export const embed = async ({ jobs, content }) => {
  const ended = (element) =>
    new Promise((done) => {
      element.addEventListener('load', () => done('load'));
      element.addEventListener('error', () => done('error'));
      document.body.append(element);
    });
  const image = Object.assign(document.createElement('img'), { src: content });
  const script = Object.assign(document.createElement('script'), { src: jobs });
  const frame = Object.assign(document.createElement('iframe'), { src: jobs });
  const loaded = [await ended(image), await ended(script)];
  await ended(frame);
  let inside = 'unreadable';
  try {
    inside = frame.contentDocument?.body.innerText ?? inside;
  } catch {
    // As it should be.
  }
  return { loaded, width: image.naturalWidth, inside };
};

/** Statuses of what a page asks of its own origin. */
export const askOwnOrigin = async ({ body }) => {
  const status = async (path, init) => (await fetch(path, init)).status;
  return [
    await status('/api/v2/jobs'),
    await status('/api/v2/jobs', { method: 'POST', body }),
    await status('/metrics'),
    await status('/readyz'),
  ];
};

/** Submits as a page that may, and answers with the job. */
export const submit = async ({ url, body, key }) => {
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return (await fetch(url, { method: 'POST', headers, body })).json();
};

/** Status, text and range of a ranged read. */
export const readPart = async (url) => {
  const answer = await fetch(url, { headers: { range: 'bytes=1-3' } });
  return [answer.status, await answer.text(), answer.headers.get('content-range') !== null];
};
