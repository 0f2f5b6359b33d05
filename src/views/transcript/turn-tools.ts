/** What a person does with finished turns, loaded with the first of them. Nothing else belongs here. */

export { AhpMessageEditor } from './ahp-message-editor.js';
export { AhpTurnFooter } from './ahp-turn-footer.js';
