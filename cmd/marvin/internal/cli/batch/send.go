package batch

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/fleet"
)

// send makes the batch one that a fleet answers. The function ends what it began.
func (wish Command) send(ctx context.Context, world cli.World, opts cli.Options, prompts *batch.Batch) (func(), error) {
	joined, err := wish.Open(ctx, world, "batch")
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // for people
	sender, err := joined.Sender(ctx, wish.name(world, host), fleet.Begin{
		Name: wish.Args.File, Host: host, At: world.Now(), MaxCost: opts.MaxCost, Limits: fleet.Limits{Rounds: opts.MaxRounds, Time: opts.MaxTime}, Scratch: prompts.Results.Beside(),
	}, world.Now)
	if err != nil {
		joined.Close()
		return nil, err
	}
	prompts.Away, prompts.Detach = sender, wish.Detach
	return func() { sender.Close(); joined.Close() }, nil
}

// name is the batch's name: the same for the same files on the same machine, so that repeating the
// command continues it.
func (wish Command) name(world cli.World, host string) string {
	whole := func(path string) string {
		if path == "" || path == "-" {
			return path
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(world.Dir, path)
		}
		return filepath.Clean(path)
	}
	from, to := whole(wish.Args.File), whole(wish.Output)
	if wish.Batch != "" {
		return wish.Batch
	}
	if from == "-" && (to == "" || to == "-") {
		return strings.ToLower(rand.Text()[:12])
	}
	sum := sha256.Sum256([]byte(host + "\x00" + from + "\x00" + to))
	return hex.EncodeToString(sum[:6])
}
