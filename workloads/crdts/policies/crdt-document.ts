import { documentAdapter } from "../replicas/document.ts";

/** Each part of the row by its own CRDT, as in Redis Enterprise active-active and in Riak's data types. */
export const createAdapter = () =>
  documentAdapter({
    name: "crdt-document",
    summary: "every part of the row as a CRDT of its own, as in Redis Enterprise active-active",
  });
