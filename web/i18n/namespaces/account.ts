import en from "../en/account.json";
import it from "../it/account.json";
import { addNamespace } from "../resources.ts";

addNamespace("account", { en, it });
