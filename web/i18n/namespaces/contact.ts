import en from "../en/contact.json";
import it from "../it/contact.json";
import { addNamespace } from "../resources.ts";

addNamespace("contact", { en, it });
