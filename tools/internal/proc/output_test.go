package proc

import (
	"bytes"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"testing"
)

func TestFloodsAreBounded(t *testing.T) {
	result, err := shell(t, "head -c 50000000 /dev/zero | tr '\\0' x")
	if err != nil {
		t.Fatal(err)
	}
	if len(result.Stdout.Bytes) != defaultLimit || result.Stdout.Total != 50_000_000 {
		t.Errorf("kept %d of %d bytes", len(result.Stdout.Bytes), result.Stdout.Total)
	}
	for _, line := range []string{"cat /bin/ls", `yes | head -c 300000; printf 'a\0b'; yes | head -c 300000`} {
		result, err = shell(t, line)
		if err != nil {
			t.Fatal(err)
		}
		if text := result.Stdout.Text(); !result.Stdout.Binary() || len(text) > 100 || !strings.HasPrefix(text, "[binary output, ") {
			t.Errorf("%s: shown as %.100q", line, text)
		}
	}
	result, err = shell(t, `printf 'caf\xe9\n'`)
	if err != nil || result.Stdout.Text() != "caf\uFFFD\n" {
		t.Errorf("Latin-1 shown as %q, %v", result.Stdout.Text(), err)
	}
}

func TestTerminalSequencesAreNoticed(t *testing.T) {
	long := strings.Repeat("line\n", 100)
	for text, draws := range map[string]bool{
		"": false, long: false, "ж字\u0099\u00db": false, "a\x1b[2A": true, long + "\u009b2A" + long: true, "\u009b": true,
	} {
		for piece := 1; piece < 9; piece++ {
			var last atomic.Pointer[keeper]
			keeper := &keeper{limit: 64, last: &last}
			for rest := []byte(text); len(rest) > 0; rest = rest[min(piece, len(rest)):] {
				_, _ = keeper.Write(rest[:min(piece, len(rest))])
			}
			if got := keeper.output().ChangesLines(); got != draws {
				t.Errorf("%.20q in pieces of %d: %v", text, piece, got)
			}
		}
	}
}

func TestKeeperKeepsBothEnds(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		limit := 1 + random.IntN(50)
		var last atomic.Pointer[keeper]
		keeper := &keeper{limit: limit, last: &last}
		var all []byte
		var lent []Output
		var was []string
		for range random.IntN(12) {
			piece := make([]byte, random.IntN(40))
			for i := range piece {
				piece[i] = byte('a' + random.IntN(26))
			}
			all = append(all, piece...)
			if n, err := keeper.Write(piece); n != len(piece) || err != nil {
				t.Fatal(n, err)
			}
			if cap(keeper.kept) > 8*limit+64 {
				t.Fatalf("limit %d holds %d bytes", limit, cap(keeper.kept))
			}
			if random.IntN(4) == 0 { // reads while it is written
				lent = append(lent, keeper.output())
				was = append(was, string(lent[len(lent)-1].Bytes))
			}
		}
		want := all
		if len(all) > limit {
			want = append(bytes.Clone(all[:limit/2]), all[len(all)-(limit-limit/2):]...)
		}
		if got := keeper.output(); !bytes.Equal(got.Bytes, want) || got.Total != int64(len(all)) {
			t.Fatalf("limit %d, wrote %q, kept %q, want %q", limit, all, got.Bytes, want)
		}
		for i, one := range lent {
			if string(one.Bytes) != was[i] {
				t.Fatalf("limit %d: what was read as %q became %q", limit, was[i], one.Bytes)
			}
		}
	}
}
