import en from "../en/account.json";
import it from "../it/account.json";
import { addWords } from "../resources.ts";

addWords("account", { en, it });
