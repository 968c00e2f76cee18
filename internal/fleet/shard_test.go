package fleet_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/mcplumb/mcplumb/internal/fleet"
	"github.com/mcplumb/mcplumb/internal/glob"
)

// organization is one of n repositories, a few of them large.
func organization(n int) []fleet.Candidate {
	var all []fleet.Candidate
	for i := range n {
		size := i * 7919 % 5000
		if i%50 == 0 {
			size = 3_000_000
		}
		all = append(all, fleet.Candidate{Name: fmt.Sprintf("acme/service-%d", i), Size: size})
	}
	return all
}

// placeOf returns the shard of each repository.
func placeOf(shards [][]*fleet.Candidate) map[string]int {
	place := map[string]int{}
	for i, shard := range shards {
		for _, r := range shard {
			place[r.Name] = i
		}
	}
	return place
}

// TestShards gives every repository to one shard, and none twice the average.
func TestShards(t *testing.T) {
	for _, c := range []struct{ repositories, wanted, shards int }{{0, 5, 0}, {1, 5, 1}, {3, 256, 3}, {500, 8, 8}, {10_000, 256, 256}} {
		all := organization(c.repositories)
		shards := fleet.Shards(all, c.wanted)
		require.Len(t, shards, c.shards)
		require.Len(t, placeOf(shards), c.repositories)
		for _, shard := range shards {
			require.NotEmpty(t, shard)
			require.LessOrEqual(t, len(shard), 2*c.repositories/c.shards+1)
		}
	}
}

// TestShardsStay keeps nearly all repositories in their shards from one day to the next.
func TestShardsStay(t *testing.T) {
	all := organization(2000)
	before := placeOf(fleet.Shards(all, 20))
	moved := func(next []fleet.Candidate, n int) (count int) {
		for name, shard := range placeOf(fleet.Shards(next, n)) {
			if was, known := before[name]; known && was != shard {
				count++
			}
		}
		return count
	}
	require.Zero(t, moved(all, 20))
	next := append([]fleet.Candidate{}, all[10:]...) // ten are gone, ten are new, all have grown
	for i := range 10 {
		next = append(next, fleet.Candidate{Name: fmt.Sprintf("acme/new-%d", i), Size: 100})
	}
	for i := range next {
		next[i].Size += next[i].Size / 100
	}
	require.Less(t, moved(next, 20), 100, "5 % of them")
	require.Less(t, moved(all, 21), 400, "a shard more takes its share")
}

func TestChoice(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	all := []fleet.Candidate{
		{Name: "acme/api", Visibility: "private", Topics: []string{"go", "prod"}, Pushed: day(20)},
		{Name: "acme/old", IsArchived: true}, {Name: "acme/older", IsArchived: true},
		{Name: "acme/fork", IsFork: true, Pushed: day(20)},
		{Name: "acme/off", IsOff: true},
		{Name: "acme/web-site", Visibility: "public", Pushed: day(10)},
	}
	pattern := func(text string) glob.Pattern {
		p, err := glob.Parse(text)
		require.NoError(t, err)
		return p
	}
	for _, c := range []struct {
		choice fleet.Choice
		names  []string
		left   string
	}{
		{fleet.Choice{}, []string{"acme/api", "acme/web-site"}, "2 archived, 1 disabled, 1 forked"},
		{fleet.Choice{Archived: true, Forks: true}, []string{"acme/api", "acme/old", "acme/older", "acme/fork", "acme/web-site"}, "1 disabled"},
		{fleet.Choice{Include: []glob.Pattern{pattern("acme/web-*")}}, []string{"acme/web-site"}, "2 archived, 1 disabled, 1 forked, 1 not included"},
		{fleet.Choice{Exclude: []glob.Pattern{pattern("*/web-*")}}, []string{"acme/api"}, "2 archived, 1 disabled, 1 excluded, 1 forked"},
		{fleet.Choice{Topics: []string{"prod", "x"}}, []string{"acme/api"}, "2 archived, 1 disabled, 1 forked, 1 without the topic"},
		{fleet.Choice{Visibilities: []string{"public"}}, []string{"acme/web-site"}, "2 archived, 1 disabled, 1 forked, 1 of another visibility"},
		{fleet.Choice{PushedSince: day(15)}, []string{"acme/api"}, "2 archived, 1 disabled, 1 forked, 1 without a recent push"},
	} {
		chosen, left := c.choice.Of(all)
		var names, counts []string
		for _, r := range chosen {
			names = append(names, r.Name)
		}
		for _, l := range left {
			counts = append(counts, fmt.Sprintf("%d %s", l.Count, l.Reason))
		}
		slices.SortFunc(counts, func(a, b string) int { return strings.Compare(a[2:], b[2:]) })
		require.Equal(t, c.names, names)
		require.Equal(t, c.left, strings.Join(counts, ", "))
	}
}

// BenchmarkShards spreads 100,000 repositories over 256 shards.
func BenchmarkShards(b *testing.B) {
	all := organization(100_000)
	for b.Loop() {
		fleet.Shards(all, fleet.MaxShards)
	}
}
