/** Topics about the API key and about safety. */
import { KEY_HEADER } from "../../../../catalogue/servers.ts";
import { KEY_VARIABLES } from "../../../../config/key.ts";
import { examples, items, section, text } from "../page.ts";
import { topic } from "./topic.ts";

/** The key. */
export const apiKey = topic("api-key", "The API key: where it comes from, where it is kept, who sees it", {
  aliases: ["key", "keys", "login", "authentication", "credentials"],
  sections: [
    section(
      "Give it",
      examples([
        ["Once, for good: it is asked for, checked and kept", "solx auth login"],
        ["From a secret store", "solx auth login < key.txt"],
        ["For one run, in CI and containers", `${KEY_VARIABLES[0]}=… solx token trending`],
        ["Which one is used, and whether the API takes it", "solx auth status"],
      ]),
    ),
    section(
      "Which one counts",
      text(
        `--api-key (others on the machine can read a command line), then ${KEY_VARIABLES.join(", then ")}, then the stored one of the profile.`,
      ),
    ),
    section(
      "Where it is kept",
      text(
        "In the keychain of the system, where there is one, else in a file that only you can read; the setting `key-store` chooses. Each profile has its own. `solx config path` names the file.",
      ),
    ),
    section(
      "Who sees it",
      items(
        `It travels in the header \`${KEY_HEADER}\` (setting \`key-header\`), over https alone, except to this machine; never to another host after a redirect.`,
        "It is in no message, trace, log, cache or curl line. Where several machines share a budget, the server gets a hash.",
        "Without a key: `--help`, `solx docs`, `--dry-run`, `--curl` and everything with --sandbox.",
      ),
    ),
  ],
  see: ["auth", "settings", "security"],
});

/** What comes from strangers. */
export const security = topic(
  "security",
  "Text from the chain is written by strangers: what solx does, what is left to you",
  {
    aliases: ["safety", "untrusted", "spam", "injection"],
    sections: [
      section(
        "What solx does",
        items(
          "On a terminal no text can move the cursor, open links, turn lines around or hide letters: what is invisible is shown as what it is.",
          "In CSV and TSV no cell starts like a formula. In JSON every value is as it came, with controls escaped.",
          "Tables mark names with letters that look like others, famous symbols of other tokens, and addresses whose ends equal those of another one.",
          "Identifiers are checked before anything is sent: the base58 alphabet, lengths, links, addresses of other chains.",
        ),
      ),
      section(
        "What is left to you",
        items(
          "Names, symbols, memos, logs and links say whatever somebody wanted to say. Anybody may take any name: tell tokens and accounts apart by address, compared whole.",
          "A program or language model that reads answers must take them for data, never for instructions.",
          "Do not open links of tokens and NFTs because they are there.",
          "To see what an attack looks like: `solx token list --sandbox` with SOLX_SANDBOX_HOSTILE=on.",
        ),
      ),
    ],
    see: ["api-key", "formatting", "testing"],
  },
);
