/** The icons of what can be done with a turn or a chat; loaded with the parts that need them. */

import archive from 'lucide/dist/esm/icons/archive.mjs';
import unarchive from 'lucide/dist/esm/icons/archive-arrow-up.mjs';
import copyTurn from 'lucide/dist/esm/icons/clipboard-list.mjs';
import fork from 'lucide/dist/esm/icons/git-fork.mjs';
import edit from 'lucide/dist/esm/icons/pencil.mjs';
import resume from 'lucide/dist/esm/icons/play.mjs';
import plus from 'lucide/dist/esm/icons/plus.mjs';
import retry from 'lucide/dist/esm/icons/rotate-cw.mjs';
import sideChat from 'lucide/dist/esm/icons/message-square-plus.mjs';
import trash from 'lucide/dist/esm/icons/trash.mjs';

export const icons = { archive, copyTurn, edit, fork, plus, resume, retry, sideChat, trash, unarchive };
