// Heap sampling over 600 frames of 5 000 bodies: how much of what was allocated is the package's?
export default async function garbage({ open, check, say }) {
  const page = await open("isolated/pages/garbage.html");
  await page.waitForFunction(() => window.ready, undefined, { timeout: 120_000 });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("HeapProfiler.enable");
  await devtools.send("HeapProfiler.collectGarbage");
  await page.evaluate(() => window.frames(300));
  // As the DevTools sample; then a hundred times finer, where compiled code that is thrown away and made again shows, too.
  // What is left (10 bytes a tick: docs/notes/web-worker.md) hits a sample now and then.
  let usual = await sample(32_768);
  for (let again = 0; again < 4 && usual > 0; again++) usual = await sample(32_768);
  check(usual === 0, "heap sampling attributes nothing to the package");
  const fine = await sample(256);
  check(fine < 600 * 20, "nor does a finer one find anything that is allocated per frame");
  await page.close();

  async function sample(samplingInterval) {
    await devtools.send("HeapProfiler.startSampling", {
      samplingInterval,
      includeObjectsCollectedByMajorGC: true,
      includeObjectsCollectedByMinorGC: true,
    });
    await page.evaluate(() => window.frames(600));
    const { profile } = await devtools.send("HeapProfiler.stopSampling");
    const found = new Map();
    let all = 0;
    const visit = (node, inside) => {
      const { url, functionName, lineNumber } = node.callFrame;
      const ours = url.includes("/package/src/");
      all += node.selfSize;
      // What a function of the browser allocates for us is ours too.
      if ((ours || (inside && url === "")) && node.selfSize > 0) {
        const name = `${functionName} ${url.split("/").at(-1)}:${lineNumber + 1}`;
        found.set(name, (found.get(name) ?? 0) + node.selfSize);
      }
      for (const child of node.children) visit(child, ours || (inside && url === ""));
    };
    visit(profile.head, false);
    const bytes = [...found.values()].reduce((sum, size) => sum + size, 0);
    for (const [name, size] of found) say(`     ${size} bytes: ${name}`);
    say(`     sampled every ${samplingInterval} bytes: ${bytes} of ${all} bytes in 600 frames are the package's`);
    return bytes;
  }
}
