// SPDX-License-Identifier: Apache-2.0

// Adds FILE to the table that includes this. It may be included many times.
    {FILE, (const unsigned char[]){
#embed FILE
    }, sizeof (const unsigned char[]){
#embed FILE
    }},
#undef FILE
