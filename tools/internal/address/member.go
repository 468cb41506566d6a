package address

import (
	"context"
	"errors"
	"fmt"
	"io"

	"marvin/tools"
	"marvin/tools/internal/box"
)

// member opens a database table or an archive member.
func (a Address) member(ctx context.Context, env tools.Env, dir *box.Dir, file *box.File) (Source, error) {
	head := make([]byte, 512)
	n, err := file.ReadAt(head, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return Source{}, fmt.Errorf("read %s: %w", a.File, err)
	}
	as := packingOf(head[:n])
	if as == database {
		return a.table(ctx, env, dir, file)
	}
	return a.openArchive(file, as)
}
