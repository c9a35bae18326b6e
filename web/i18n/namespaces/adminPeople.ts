import en from "../en/adminPeople.json";
import it from "../it/adminPeople.json";
import { addNamespace } from "../resources.ts";

addNamespace("adminPeople", { en, it });
