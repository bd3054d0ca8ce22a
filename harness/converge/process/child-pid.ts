/**
 * How a thread learns the id of the process that its replicas live in, so that its parent can end that process when the
 * thread itself hangs in reading from it. Through the global object, since an adapter's module may be loaded apart.
 */
const NOTE = Symbol.for("holdfast.noteChildPid");

type Note = (pid: number) => void;
const holder = globalThis as { [NOTE]?: Note };

/** Puts the id into shared memory from now on. */
export function setChildPidCell(memory: Int32Array, index: number): void {
  holder[NOTE] = (pid) => {
    memory[index] = pid;
  };
}

/** @param pid 0 when the process has ended */
export function noteChildPid(pid: number): void {
  holder[NOTE]?.(pid);
}
