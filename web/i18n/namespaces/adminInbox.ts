import en from "../en/adminInbox.json";
import it from "../it/adminInbox.json";
import { addNamespace } from "../resources.ts";

addNamespace("adminInbox", { en, it });
