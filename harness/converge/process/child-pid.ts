/**
 * Where a thread leaves the id of the process that its replicas live in, so that the parent can end that process when the
 * thread itself hangs in reading from it. In the thread that has no parent, nowhere.
 */
let cells: Int32Array | undefined;
let at = 0;

export function setChildPidCell(memory: Int32Array, index: number): void {
  cells = memory;
  at = index;
}

/** @param pid 0 when the process has ended */
export function noteChildPid(pid: number): void {
  if (cells !== undefined) cells[at] = pid;
}
