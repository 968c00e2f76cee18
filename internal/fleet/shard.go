package fleet

import (
	"cmp"
	"hash/fnv"
	"math/bits"
	"slices"
)

// MaxShards is how many jobs a matrix of GitHub Actions may have (docs: "Usage limits").
const MaxShards = 256

// Shards spreads candidates over at most n shards so that none has much more to do than
// another, and so that most stay where they were when some come, go or grow: a shard that
// knows them from the day before has less to read. Every candidate goes to the shard that a
// hash of both ranks highest among those that have room (rendezvous hashing with bounded
// loads). Within a shard they are in the order of their names; none is empty.
func Shards(all []Candidate, n int) [][]*Candidate {
	n = max(1, min(n, len(all)))
	total, heaviest := 0, 0
	for i := range all {
		total += effort(&all[i])
		heaviest = max(heaviest, effort(&all[i]))
	}
	room := total/n + total/(4*n) + heaviest
	order := make([]*Candidate, len(all))
	for i := range all {
		order[i] = &all[i]
	}
	slices.SortFunc(order, func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(effort(b), effort(a)), cmp.Compare(hashOf(a.Name), hashOf(b.Name)), cmp.Compare(a.Name, b.Name))
	})
	shards, load := make([][]*Candidate, n), make([]int, n)
	for _, r := range order {
		hash, best, most := hashOf(r.Name), -1, uint64(0)
		for i := range n {
			if rank := mixed(hash, uint64(i)); load[i]+effort(r) <= room && (best < 0 || rank > most) {
				best, most = i, rank
			}
		}
		shards[best] = append(shards[best], r)
		load[best] += effort(r)
	}
	shards = slices.DeleteFunc(shards, func(s []*Candidate) bool { return len(s) == 0 })
	for _, s := range shards {
		slices.SortFunc(s, func(a, b *Candidate) int { return cmp.Compare(a.Name, b.Name) })
	}
	return shards
}

// effort is what a repository takes to read, in units of the smallest: more with the number
// of digits of its size, since nothing but trees is fetched. Growing seldom changes it.
func effort(r *Candidate) int { return 1 + bits.Len(uint(max(0, r.Size)>>12)) }

func hashOf(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	return h.Sum64()
}

// mixed ranks a shard for a hash (the finalizer of SplitMix64).
func mixed(hash, shard uint64) uint64 {
	x := hash + (shard+1)*0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
