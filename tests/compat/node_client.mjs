// The official Node library against `filedeck serve`, as its users would use it.
// Takes from the environment FILEDECK_BASE_URL, FILEDECK_TOKEN and SOURCE_URL (a file to import, on a local web server).
import { Client } from '@hubspot/api-client';

const { FILEDECK_BASE_URL: basePath, FILEDECK_TOKEN: accessToken, SOURCE_URL: source } = process.env;
const { filesApi: files, foldersApi: folders } = new Client({ accessToken, basePath }).files;
let done = 0;

function check(what, holds) {
  if (!holds) {
    console.error(`node: ${what}: does not hold`);
    process.exit(1);
  }
  done += 1;
}

async function fetched(url) {
  const answer = await fetch(url);
  return [answer.status, await answer.text()];
}

async function untilFinal(statusOf) {
  for (let tries = 0; tries < 200; tries += 1) {
    const task = await statusOf();
    if (['COMPLETE', 'CANCELED'].includes(task.status)) return task;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  console.error('node: the task did not end within 20 seconds');
  process.exit(1);
}

async function refusal(call) {
  try {
    await call();
    return undefined;
  } catch (error) {
    return error.code;
  }
}

const content = (text, name) => ({ data: Buffer.from(text), name });
const options = (access, more = {}) => JSON.stringify({ access, ...more });

const folder = await folders.create({ name: 'node client' });
check('a folder is created at the root', folder.path === '/node client');

const uploaded = await files.upload(content('first words\n', 'note.txt'), folder.id, undefined, 'note.txt', undefined, options('PRIVATE'));
check('an upload answers with the file', uploaded.name === 'note' && uploaded.path === '/node client/note.txt');
check("a private file's address answers 404", (await fetched(uploaded.url))[0] === 404);

const twin = await files.upload(content('first words\n', 'twin.txt'), folder.id, undefined, 'twin.txt', undefined,
  options('PRIVATE', { duplicateValidationScope: 'EXACT_FOLDER', duplicateValidationStrategy: 'RETURN_EXISTING' }));
check('a duplicate gives the existing file', twin.id === uploaded.id);
check('a rejected duplicate answers 409', (await refusal(() => files.upload(content('first words\n', 'twin.txt'), folder.id, undefined,
  'twin.txt', undefined, options('PRIVATE', { duplicateValidationScope: 'ENTIRE_PORTAL', duplicateValidationStrategy: 'REJECT' })))) === 409);

const page = await files.doSearch(undefined, undefined, undefined, 10, ['-updatedAt'], undefined, undefined, undefined, undefined,
  undefined, undefined, undefined, undefined, undefined, undefined, undefined, [Number(folder.id)]);
check('a search by folder finds the file', page.results.length === 1 && page.results[0].id === uploaded.id);
check('stat finds it by its path', (await files.getMetadata('/node client/note.txt')).file.id === uploaded.id);

const replaced = await files.replace(uploaded.id, content('second words, longer\n', 'note.txt'), undefined, options('PRIVATE'));
check('a replaced file keeps its id', replaced.id === uploaded.id && replaced.size === 21);

const signed = await files.getSignedUrl(uploaded.id, undefined, 120);
const [status, text] = await fetched(signed.url);
check('a signed address gives the bytes', status === 200 && text === 'second words, longer\n');

const started = await files.importFromUrl({ url: source, access: 'PRIVATE', name: 'imported', folderPath: '/node client',
  duplicateValidationScope: 'EXACT_FOLDER', duplicateValidationStrategy: 'NONE', overwrite: false });
const imported = await untilFinal(() => files.checkImport(started.id));
check('an import ends COMPLETE with a file', imported.status === 'COMPLETE' && imported.result.name === 'imported');

const target = await folders.create({ name: 'node target' });
const move = await folders.updatePropertiesRecursively({ id: folder.id, parentFolderId: Number(target.id) });
const moved = await untilFinal(() => folders.checkUpdateStatus(move.id));
check("a folder's move ends COMPLETE", moved.status === 'COMPLETE');
check('and its files go along', (await files.getById(uploaded.id)).path === '/node target/node client/note.txt');

await files.archive(uploaded.id);
check('a deleted file is gone', (await refusal(() => files.getById(uploaded.id))) === 404);
await folders.archive(target.id);
check('a deleted folder is gone, with what is in it', (await refusal(() => folders.getById(folder.id))) === 404);

const stranger = new Client({ accessToken: 'wrong', basePath }).files.filesApi;
check('a wrong token is refused', (await refusal(() => stranger.doSearch())) === 401);

console.log(`node: ${done} checks hold`);
