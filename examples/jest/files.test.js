// What a program does with the API would be tested here; these tests call it themselves.
const { start } = require("./filedeck");

let service;
beforeAll(async () => {
  service = await start();
}, 30_000);
beforeEach(() => service.steer("POST", "reset"));
afterAll(() => service?.stop());

function upload(folder, name, content, options = {}) {
  const form = new FormData();
  form.append("file", new Blob([content]), name);
  form.append("folderPath", folder);
  form.append("options", JSON.stringify({ access: "PRIVATE", ...options }));
  return service.call("/files/v3/files", { method: "POST", body: form });
}

async function names(path) {
  const page = await service.call(`/files/v3/files/search?path=${encodeURIComponent(path)}`);
  return (await page.json()).results.map((file) => file.name);
}

test("an upload is listed", async () => {
  expect((await upload("/reports", "april.txt", "42")).status).toBe(201);
  expect(await names("/reports")).toEqual(["april"]);
});

test("the upload of another test is gone", async () => {
  expect(await names("/reports")).toEqual([]);
});

test("a busy service is seen", async () => {
  await service.steer("PUT", "faults", { faults: ["status=503,times=1"] });
  expect((await upload("/reports", "april.txt", "42")).status).toBe(503);
  expect((await upload("/reports", "april.txt", "42")).status).toBe(201);
  const { requests } = await service.steer("GET", "requests");
  expect(requests.map((request) => request.status)).toEqual([503, 201]);
});

test("a file expires", async () => {
  await upload("/reports", "april.txt", "42", { ttl: "P1D" });
  await service.steer("POST", "clock", { by: "P1D" });
  expect(await names("/reports")).toEqual([]);
});

test("a typing error does not pass", async () => {
  const answer = await upload("/reports", "april.txt", "42", { overwite: true });
  expect(answer.status).toBe(400);
  expect((await answer.json()).message).toContain("did you mean 'overwrite'?");
});
