package web

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace(gaps)
		began := time.Now()
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if err := p.await(t.Context(), "musicbrainz.org"); err != nil {
					t.Error(err)
				}
			})
		}
		for range 100 {
			if err := p.await(t.Context(), "api.frankfurter.dev"); err != nil {
				t.Error(err)
			}
		}
		if took := time.Since(began); took != 0 {
			t.Errorf("a host without a gap waited %s", took)
		}
		group.Wait()
		if took := time.Since(began); took != 3*time.Second {
			t.Errorf("four requests took %s", took)
		}
	})
}

func TestPaceKeepsDeadlines(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		p := newPace(gaps)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
		defer cancel()
		if err := p.await(ctx, "export.arxiv.org"); err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		if err := p.await(ctx, "export.arxiv.org"); err == nil || !strings.Contains(err.Error(), "3s between") || time.Since(began) != 0 {
			t.Errorf("%v after %s", err, time.Since(began))
		}
		cancel()
		if err := p.await(ctx, "export.arxiv.org"); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	})
}
