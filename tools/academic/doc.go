// Package academic finds scientific papers in Semantic Scholar and on arXiv.
//
// Neither needs a key. All who ask Semantic Scholar without one share a pool, so it
// often says 429; it is asked once more and then the answer says so.
package academic
