// Package academic searches Semantic Scholar and arXiv for scientific papers.
//
// Both services work without a key. All users of Semantic Scholar without a key share one rate
// limit, so the service often replies with status 429. The package then tries once more before it
// returns an error.
package academic
