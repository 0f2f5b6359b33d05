/** What a list of chats reports, besides `ahp-open-chat`; see `views/events.ts`. */

import type { CatalogueTarget } from '../../chat/catalogue.js';
import type { URI } from '../../protocol/state.js';
import { IntentEvent } from '../events.js';

/** Another chat in a session is to be made, or another session. */
export class AhpCatalogueCreateEvent extends IntentEvent {
  readonly session: URI | undefined;
  constructor(session?: URI) {
    super('ahp-catalogue-create');
    this.session = session;
  }
  clone(): AhpCatalogueCreateEvent {
    return new AhpCatalogueCreateEvent(this.session);
  }
}

/** A session is to have another title. */
export class AhpCatalogueRenameEvent extends IntentEvent {
  readonly session: URI;
  readonly title: string;
  constructor(session: URI, title: string) {
    super('ahp-catalogue-rename');
    this.session = session;
    this.title = title;
  }
  clone(): AhpCatalogueRenameEvent {
    return new AhpCatalogueRenameEvent(this.session, this.title);
  }
}

/** A session or chat is to be put away, or taken out again. */
export class AhpCatalogueArchiveEvent extends IntentEvent {
  readonly entry: CatalogueTarget;
  readonly isArchived: boolean;
  constructor(entry: CatalogueTarget, isArchived: boolean) {
    super('ahp-catalogue-archive');
    this.entry = entry;
    this.isArchived = isArchived;
  }
  clone(): AhpCatalogueArchiveEvent {
    return new AhpCatalogueArchiveEvent(this.entry, this.isArchived);
  }
}

/** A session or chat is to be deleted for good. */
export class AhpCatalogueRemoveEvent extends IntentEvent {
  readonly entry: CatalogueTarget;
  constructor(entry: CatalogueTarget) {
    super('ahp-catalogue-remove');
    this.entry = entry;
  }
  clone(): AhpCatalogueRemoveEvent {
    return new AhpCatalogueRemoveEvent(this.entry);
  }
}

export interface AhpCatalogueEventMap {
  'ahp-catalogue-create': AhpCatalogueCreateEvent;
  'ahp-catalogue-rename': AhpCatalogueRenameEvent;
  'ahp-catalogue-archive': AhpCatalogueArchiveEvent;
  'ahp-catalogue-remove': AhpCatalogueRemoveEvent;
}

declare global {
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- the map is wanted under a name of its own, too
  interface HTMLElementEventMap extends AhpCatalogueEventMap {}
}
