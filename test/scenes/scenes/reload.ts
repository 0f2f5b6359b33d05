/** A page that is loaded again, closed and opened again, in the middle of something. */

import assert from 'node:assert/strict';
import type { Scene } from '../world.js';

const long = 'Write a long report about the workspace';

export const reloadScenes: readonly Scene[] = [
  {
    name: 'reload while typing: every letter is still there, and is sent once',
    async play(world) {
      const chat = await world.openLive();
      await chat.type('half a thought');

      await chat.reload();
      await chat.untilComposer('half a thought');
      await chat.send(', and the other half');

      await world.ends(['half a thought, and the other half']);
    },
  },
  {
    name: 'reload while an answer streams: it goes on and is whole',
    async play(world) {
      const chat = await world.openLive();
      await chat.send(long);
      await chat.untilRunning();

      await chat.reload();

      await world.ends([long]);
    },
  },
  {
    name: 'reload twice in a row while an answer streams',
    async play(world) {
      const chat = await world.openLive();
      await chat.send(long);
      await chat.untilRunning();

      await chat.tab.reload();
      await chat.reload();
      // A message written before the page knows of the turn is not sent into it: the person is asked.
      await chat.until('it shows the turn', ({ prompts }) => prompts.join() === long);
      await chat.send('and then this');

      await world.ends([long, 'and then this']);
    },
  },
  {
    name: 'reload at once after changes made while an answer streams: text, file and model are all there',
    async play(world) {
      const chat = await world.openLive();
      await chat.until('there are models', ({ chosen }) => chosen.length > 0);
      await chat.send(long);
      await chat.untilRunning();
      await chat.type('look at @READ');
      await chat.until('the file is offered', ({ offered }) => offered.length === 1 && /README/.test(offered[0]!));
      await chat.enter();
      await chat.tab.call('choose', 'Model', 'Brief');
      const { composer, attached } = await chat.look();
      assert.match(composer, /^look at @README\.md/);
      assert.equal(attached.length, 1);

      await chat.reload();
      await chat.untilComposer(composer);
      await chat.until('the file hangs on it', (screen) => screen.attached.join() === attached.join());
      await chat.until('the model is chosen', ({ chosen }) => chosen.includes('Brief'));
      await chat.until('it shows the turn', ({ prompts }) => prompts.join() === long);
      await chat.enter();

      await world.untilHost('both have run', ({ turns }) => turns.length === 2, chat);
      const { message } = (await world.truth()).turns[1]!;
      assert.deepEqual(
        [message.text.trim(), message.model?.id, message.attachments?.length],
        [composer.trim(), 'brief', 1],
      );
    },
  },
  {
    name: 'reload with the host down: transcript, message and draft are there, and the message goes out once',
    async play(world) {
      const chat = await world.openLive();
      await chat.send('first');
      await chat.untilQuiet();
      await world.loseHost(chat);
      await chat.send('second');
      await chat.type('half of a third');

      await chat.reload();
      await chat.until('the mirror is shown', ({ prompts }) => prompts.join() === 'first,second');
      await chat.untilComposer('half of a third');
      await world.startHost();

      await world.ends(['first', 'second']);
      await chat.untilComposer('half of a third');
    },
  },
  {
    name: 'reload at the press of Enter: the message is sent once',
    async play(world) {
      const chat = await world.openLive();
      await chat.send('at the last moment');
      await chat.reload();
      await chat.until(
        'the words are there',
        ({ phase, prompts, composer }) => phase === 'live' && [...prompts, composer].includes('at the last moment'),
      );

      // Where the page went before the browser had written anything, the words are a draft still; they are never lost.
      if ((await chat.look()).composer === 'at the last moment') await chat.enter();
      await world.ends(['at the last moment']);
    },
  },
  {
    name: 'reload while the message is on the wire and never arrives: it is sent again, once',
    async play(world) {
      const chat = await world.openLive();
      world.wire.hold('up');
      await chat.send('into the void');
      await chat.untilSending('into the void');

      world.wire.abandon();
      world.wire.release();
      await chat.reload();

      await world.ends(['into the void']);
    },
  },
  {
    name: 'reload when the host has the message but its echo is lost: it is not sent again',
    async play(world) {
      const chat = await world.openLive();
      world.wire.hold('down');
      await chat.send('heard, but not answered');
      await world.untilHost('the message is', ({ turns, activeTurn }) => turns.length === 1 || !!activeTurn);

      world.wire.abandon();
      world.wire.release();
      await chat.reload();

      await world.ends(['heard, but not answered']);
    },
  },
  {
    name: 'reload with messages in the queue: each runs once, in order',
    async play(world) {
      const chat = await world.openLive();
      await chat.send('run `sleep 300`');
      await chat.until('it asks', ({ buttons }) => buttons.includes('Deny'));
      await chat.send('one');
      await chat.send('two');
      await chat.until('both wait', ({ waiting }) => waiting.length === 2);

      await chat.reload();
      await chat.until('both still wait', ({ waiting }) => waiting.length === 2);
      await chat.press('Deny');

      await world.ends(['run `sleep 300`', 'one', 'two']);
    },
  },
  {
    name: 'reload with half an answer in a form: it is filled in still',
    async play(world) {
      const chat = await world.openLive();
      await chat.send('Add a recipe');
      await chat.until('it asks', ({ transcript }) => transcript.includes('What is the dish called?'));
      await chat.fill('Name', 'Soup of the day');

      await chat.reload();
      await chat.until('the form is filled in', ({ fields }) => fields.includes('Soup of the day'));
      await chat.press('Decline');

      await world.ends(['Add a recipe']);
    },
  },
  {
    name: 'close in the middle of a sentence and open again: the sentence is there',
    async play(world) {
      const first = await world.openLive();
      await first.type('to be continued');
      await first.close();

      const second = await world.open();
      await second.untilComposer('to be continued');
      await second.send(' here');

      await world.ends(['to be continued here']);
    },
  },
  {
    name: 'close with an unsent message and open again: the message is sent once',
    async play(world) {
      const first = await world.openLive();
      await world.loseHost(first);
      await first.send('left behind');
      await first.untilSending('left behind');
      await first.close();

      await world.startHost();
      await world.open();

      await world.ends(['left behind']);
    },
  },
  {
    name: 'close while an answer streams and open again: it is whole',
    async play(world) {
      const first = await world.openLive();
      await first.send(long);
      await first.untilRunning();
      await first.close();

      await world.open();

      await world.ends([long]);
    },
  },
  {
    name: 'open for the first time while the host is down: what is written stays, and can be sent once it is there',
    async play(world) {
      await world.killHost();
      const chat = await world.open();
      await chat.until('it says that there is no host', ({ strip }) => strip.startsWith('Offline'));
      await chat.type('the first words');
      await chat.reload();
      await chat.untilComposer('the first words');

      await world.startHost();
      await chat.untilLive();
      await chat.send('!');

      await world.ends(['the first words!']);
    },
  },
  {
    name: 'open without a chat for the first time while the host is down: what is written stays, and goes into the chat that is found',
    async play(world) {
      await world.killHost();
      const chat = await world.open({ isUnnamed: true });
      await chat.until('it promises that', ({ strip }) => strip.startsWith('Offline – what you write is kept'));
      await chat.type('the very first words');
      await chat.reload();
      await chat.untilComposer('the very first words');
      await chat.reload();
      await chat.untilComposer('the very first words');

      await world.startHost();
      await chat.untilLive();
      await chat.untilComposer('the very first words');
      await chat.send('!');
      await world.ends(['the very first words!']);

      await chat.reload();
      await chat.untilQuiet();
      assert.equal((await chat.look()).composer, '');
    },
  },
];
