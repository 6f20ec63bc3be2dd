// Places for the nodes of a tree of any sizes: no two overlap, children stand in order beside the middle of
// their parent, equal subtrees look equal. After A. van der Ploeg, "Drawing non-layered tidy trees in linear
// time" (2014), without recursion: trees of any depth are laid out.

/** A tree in preorder, as numbers. */
export interface Sizes {
  /** The place of each node's parent in the list; -1 for the first. */
  parents: Int32Array;
  /** How much room each takes across: the axis along which siblings stand. */
  across: Float64Array;
  /** How much room each takes along: the axis from parents to children. */
  along: Float64Array;
}

export interface Places {
  across: Float64Array;
  along: Float64Array;
}

interface Low {
  low: number;
  index: number;
  next: Low | null;
}

export function tidy({ parents, across, along }: Sizes): Places {
  const count = parents.length;
  const y = new Float64Array(count);
  const first = new Int32Array(count).fill(-1);
  const last = new Int32Array(count).fill(-1);
  const next = new Int32Array(count).fill(-1);
  for (let node = 1; node < count; node++) {
    const parent = parents[node]!;
    y[node] = y[parent]! + along[parent]!;
    if (first[parent] === -1) first[parent] = node;
    else next[last[parent]!] = node;
    last[parent] = node;
  }
  const bottom = (node: number) => y[node]! + along[node]!;

  const prelim = new Float64Array(count);
  const mod = new Float64Array(count);
  const shift = new Float64Array(count);
  const change = new Float64Array(count);
  const leftThread = new Int32Array(count).fill(-1);
  const rightThread = new Int32Array(count).fill(-1);
  const leftmost = new Int32Array(count);
  const rightmost = new Int32Array(count);
  const leftSum = new Float64Array(count);
  const rightSum = new Float64Array(count);

  const separate = (children: Int32Array, at: number, from: Low): void => {
    let lows: Low | null = from;
    let left = children[at - 1]!;
    let leftAt = mod[left]!;
    let right = children[at]!;
    let rightAt = mod[right]!;
    const own = children[at]!;
    while (left !== -1 && right !== -1) {
      while (lows?.next && bottom(left) > lows.low) lows = lows.next;
      const gap = leftAt + prelim[left]! + across[left]! - (rightAt + prelim[right]!);
      if (gap > 0) {
        rightAt += gap;
        mod[own]! += gap;
        leftSum[own]! += gap;
        rightSum[own]! += gap;
        const index = lows?.index ?? at - 1;
        if (index !== at - 1) {
          const between = at - index;
          shift[children[index + 1]!]! += gap / between;
          shift[own]! -= gap / between;
          change[own]! -= gap - gap / between;
        }
      }
      const leftEnd = bottom(left);
      const rightEnd = bottom(right);
      if (leftEnd <= rightEnd) {
        left = last[left] === -1 ? rightThread[left]! : last[left]!;
        if (left !== -1) leftAt += mod[left]!;
      }
      if (leftEnd >= rightEnd) {
        right = first[right] === -1 ? leftThread[right]! : first[right]!;
        if (right !== -1) rightAt += mod[right]!;
      }
    }
    const head = children[0]!;
    if (left === -1 && right !== -1) {
      const end = leftmost[head]!;
      leftThread[end] = right;
      const diff = rightAt - mod[right]! - leftSum[head]!;
      mod[end]! += diff;
      prelim[end]! -= diff;
      leftmost[head] = leftmost[own]!;
      leftSum[head] = leftSum[own]!;
    } else if (left !== -1 && right === -1) {
      const end = rightmost[own]!;
      rightThread[end] = left;
      const diff = leftAt - mod[left]! - rightSum[own]!;
      mod[end]! += diff;
      prelim[end]! -= diff;
      rightmost[own] = rightmost[children[at - 1]!]!;
      rightSum[own] = rightSum[children[at - 1]!]!;
    }
  };

  const pushLow = (low: number, index: number, lows: Low | null): Low => {
    let rest = lows;
    while (rest !== null && low >= rest.low) rest = rest.next;
    return { low, index, next: rest };
  };

  // Children before parents.
  for (let node = count - 1; node >= 0; node--) {
    if (first[node] === -1) {
      leftmost[node] = node;
      rightmost[node] = node;
      continue;
    }
    const list: number[] = [];
    for (let child = first[node]!; child !== -1; child = next[child]!) list.push(child);
    const children = Int32Array.from(list);
    let lows = pushLow(bottom(leftmost[children[0]!]!), 0, null);
    for (let at = 1; at < children.length; at++) {
      const low = bottom(rightmost[children[at]!]!);
      separate(children, at, lows);
      lows = pushLow(low, at, lows);
    }
    const head = children[0]!;
    const tail = children[children.length - 1]!;
    prelim[node] =
      (prelim[head]! + mod[head]! + mod[tail]! + prelim[tail]! + across[tail]!) / 2 - across[node]! / 2;
    leftmost[node] = leftmost[head]!;
    leftSum[node] = leftSum[head]!;
    rightmost[node] = rightmost[tail]!;
    rightSum[node] = rightSum[tail]!;
  }

  // Parents before children.
  const x = new Float64Array(count);
  const sums = new Float64Array(count);
  for (let node = 0; node < count; node++) {
    const parent = parents[node]!;
    sums[node] = (parent === -1 ? 0 : sums[parent]!) + mod[node]!;
    x[node] = prelim[node]! + sums[node]!;
    let distance = 0;
    let delta = 0;
    for (let child = first[node]!; child !== -1; child = next[child]!) {
      distance += shift[child]!;
      delta += distance + change[child]!;
      mod[child]! += delta;
    }
  }
  return { across: x, along: y };
}
