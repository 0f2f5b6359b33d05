/**
 * The scenes: what happens to a chat in a real browser with real navigations, on a real host that is really killed. Each
 * is written once and played in every engine; `BROWSERS` chooses one, Chromium by default.
 */

import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Engine } from './engines/engine.js';
import { historyScenes } from './scenes/history.js';
import { hostScenes } from './scenes/host.js';
import { networkScenes } from './scenes/network.js';
import { reloadScenes } from './scenes/reload.js';
import { storageScenes } from './scenes/storage.js';
import { tabScenes } from './scenes/tabs.js';
import { buildSites, type Sites } from './site.js';
import { Hosts, World, type Scene } from './world.js';

const browser = process.env.BROWSERS ?? 'chrome';
const { startEngine } = (await import(`./engines/${browser}.js`)) as { startEngine: () => Promise<Engine> };
// What an engine cannot do is known before any test is told, so it is started here.
const engine = await startEngine();
// The longest first: they wait, and others can be played meanwhile.
const scenes = [...networkScenes, ...tabScenes, ...hostScenes, ...reloadScenes, ...historyScenes, ...storageScenes];

describe(`a chat in ${engine.name}`, { concurrency: engine.lanes }, () => {
  const hosts = new Hosts();
  let sites: Sites;

  before(async () => {
    sites = await buildSites();
  });

  after(async () => {
    await engine.close();
    await hosts.end();
    await sites?.close();
  });

  for (const scene of scenes) {
    const skip = findObstacle(scene);
    it(scene.name, { ...(skip !== undefined && { skip }), timeout: 150_000 }, () => play(scene));
  }

  async function play(scene: Scene): Promise<void> {
    const running = await hosts.take();
    const site = await sites.open(() => new URL(running.host.url));
    const world = await World.create(engine, running, site);
    try {
      await scene.play(world);
      assert.deepEqual(site.troubles, []);
    } finally {
      await world.close();
      hosts.give(running);
    }
  }
});

function findObstacle({ needs = [], exceptIn = {} }: Scene): string | undefined {
  const missing = needs.find((ability) => engine.lacks[ability] !== undefined);
  return exceptIn[engine.name] ?? (missing && `${missing}: ${engine.lacks[missing]}`);
}
