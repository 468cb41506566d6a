package jail

import "marvin/tools/internal/jail/internal/sockets"

var finder sockets.Finder

// ShareFinder lets a keeper use the list of sockets that another test has found. Each keeper that
// searches for itself reads up to 1,500 directories, a quarter of the processor time of the tests.
func (k *Keeper) ShareFinder() { k.finder = &finder }
